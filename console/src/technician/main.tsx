// First, and by far the largest: what follows resembles itself, and so stays within the reach of gzip.
import './coming-in/code-in-picture.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { watchAddress } from './coming-in/brought.ts';

watchAddress();
render(<App />, document.querySelector('#page')!);
