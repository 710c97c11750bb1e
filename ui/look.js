// The language and theme in which the page was last used, or else the system's. It runs before the page is painted; the
// program does the same once it is loaded. Without this, both languages stand there.
{
const kept = (name) => { try { return localStorage.getItem(`lexforge.${name}`) ?? ''; } catch { return ''; } };
const root = document.documentElement;
root.lang = (kept('language') || navigator.language).startsWith('zh') ? 'zh-CN' : 'en';
const dark = kept('theme') === 'dark' || (kept('theme') !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
root.dataset.theme = dark ? 'dark' : 'light';
}
