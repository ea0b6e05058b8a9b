import { Prompt, PromptStoppedError } from './prompt.ts';

/** Asks on the terminal of the process, without showing the answer. Null if the person presses Ctrl-C. */
export const askSecret = async (question: string): Promise<string | null> => {
  const prompt = new Prompt(process);
  try {
    return await prompt.askSecret(question);
  } catch (error) {
    if (error instanceof PromptStoppedError) return null;
    throw error;
  } finally {
    prompt.close();
  }
};
