// Sets attributes that only this browser knows before the prerendered page is shown. The browser waits for this script
// (scripts/prerender.mjs). It is not inline, because the Content-Security-Policy forbids inline scripts.
import { COLOR_SCHEME_KEY } from './app/color-scheme-key.ts';
import { COLLAPSED, SIDEBAR_ATTRIBUTE, SIDEBAR_KEY } from './kit/sidebar-state.ts';

const wanted = localStorage.getItem(COLOR_SCHEME_KEY);
const isDark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
// A page can depend on a token in the hash. Such a page has no prerendered state.
if (location.hash) document.documentElement.setAttribute('data-without-picture', '');
if (localStorage.getItem(SIDEBAR_KEY) === COLLAPSED)
  document.documentElement.setAttribute(SIDEBAR_ATTRIBUTE, COLLAPSED);
