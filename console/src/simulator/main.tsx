import { render } from 'preact';
import { SimulatorApp } from './simulator-app.tsx';

render(<SimulatorApp />, document.querySelector('#page')!);
