import { useState } from 'preact/hooks';
import { SegmentedControl } from '../../../design/controls.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { CodeSample } from '../../components/code-sample.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { apiRecipes, type CodeSampleLanguage, codeSampleLanguages } from './recipes.ts';

/** Links to the documentation of both APIs, and complete examples. */
export const ApiLinksAndRecipesScreen = () => {
  const { developers } = useMessages();
  const { id } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const [language, setLanguage] = useState<CodeSampleLanguage>('curl');
  const { origin } = window.location;
  return (
    <>
      <PageHeader title={developers.title} subtitle={developers.referenceText} />
      <DevelopersNavigation />
      <section class="card panel" aria-labelledby="api-reference">
        <h2 id="api-reference">{developers.apiReference}</h2>
        <p>{developers.tryIt}</p>
        <div class="bar">
          <a class="button primary" href={`/docs?organization=${id}#start`} target="_blank" rel="noreferrer">
            {developers.publicApi}
          </a>
          <a class="button" href={`/docs/admin?organization=${id}#start`} target="_blank" rel="noreferrer">
            {developers.adminApi}
          </a>
          <a class="button" href="/v2/openapi.json" target="_blank" rel="noreferrer">
            OpenAPI 3.1
          </a>
        </div>
        <p class="quiet small">
          {developers.baseUrl}: <code>{`${origin}/v2`}</code>
        </p>
      </section>
      <section class="section" aria-labelledby="recipes">
        <div class="title-line recipes-title">
          <h2 id="recipes">{developers.recipes}</h2>
          <SegmentedControl<CodeSampleLanguage>
            name="sample-language"
            legend={developers.sampleLanguage}
            value={language}
            options={codeSampleLanguages.map(value => ({ value, label: value }))}
            onChange={setLanguage}
          />
        </div>
        <p class="quiet">
          {developers.recipesText} <a href={linkTo('/developers/tokens')}>{developers.tokens}</a>
        </p>
        {apiRecipes.map(({ id: recipe, samples }) => (
          <article key={recipe} class="card panel">
            <h3>{developers.recipeTitles[recipe]}</h3>
            <p class="quiet">{developers.recipeTexts[recipe]}</p>
            <CodeSample label={developers.recipeTitles[recipe]} text={samples(`${origin}/v2`)[language]} />
          </article>
        ))}
      </section>
    </>
  );
};
