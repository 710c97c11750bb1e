// The language and theme that the page was read in. Without this, both languages stand there.
const kept = (name) => localStorage.getItem(`lexforge.${name}`) ?? '';
const root = document.documentElement;
root.lang = (kept('language') || navigator.language).startsWith('zh') ? 'zh-CN' : 'en';
const dark = kept('theme') === 'dark' || (kept('theme') !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
root.dataset.theme = dark ? 'dark' : 'light';
