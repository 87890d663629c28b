// Sets the theme before the first paint: the theme that the Console remembers, or the system's theme. It is a separate
// file, because the Content-Security-Policy forbids inline scripts.
import { COLOR_SCHEME_KEY } from '../../../console/src/app/color-scheme-key.ts';

const wanted = localStorage.getItem(COLOR_SCHEME_KEY);
const isDark = wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
