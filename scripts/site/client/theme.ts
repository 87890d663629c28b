// Sets the theme before the first paint: the one that the Console remembers, or that of the system. Not inline, which the
// Content-Security-Policy forbids.
import { COLOR_SCHEME_KEY } from '../../../console/src/app/color-scheme-key.ts';

const wanted = localStorage.getItem(COLOR_SCHEME_KEY);
const isDark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
