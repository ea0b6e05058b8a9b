import { render } from 'preact';
import { SimulatorApp } from './app.tsx';

render(<SimulatorApp />, document.querySelector('#page')!);
