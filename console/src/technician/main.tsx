// The largest module comes first, because gzip compresses the similar modules after it better when they are adjacent.
import './login/decode-qr-code.ts';
import { render } from 'preact';
import { TechnicianApp } from './technician-app.tsx';
import { watchFragmentCredentials } from './login/fragment-credentials.ts';

watchFragmentCredentials();
render(<TechnicianApp />, document.querySelector('#page')!);
