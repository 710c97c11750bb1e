import init from './lexforge-ui.js';
await init({ module_or_path: './lexforge-ui_bg.wasm' });
