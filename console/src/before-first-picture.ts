// Sets what only this browser knows before the first picture is shown: a script of its own, for which the browser waits (scripts/first-pictures.mjs).
// Not in the document: the Content-Security-Policy allows no inline script.
import { COLOR_SCHEME_KEY } from './app/color-scheme-key.ts';

const wanted = localStorage.getItem(COLOR_SCHEME_KEY);
const isDark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
// What a page shows may follow from a token after the hash: it has another first picture, or none.
if (location.hash) document.documentElement.setAttribute('data-without-picture', '');
