// Draws the Mermaid diagrams of documents while the site is built, as SVG in the colours of the page: no script and no
// inline style.
import { escapeHtml } from '../page.ts';
import { drawFlowchart } from './flowchart.ts';
import { drawSequence } from './sequence.ts';

/** Returns the diagram as a figure, with its text for readers who cannot see it. */
export function figureOf(code: string, label: string): string {
  const kind = /^\s*(\w+)/.exec(code)?.[1];
  const draw = kind === 'flowchart' ? drawFlowchart : kind === 'sequenceDiagram' ? drawSequence : undefined;
  if (!draw) throw new Error(`The site draws flowcharts and sequence diagrams, and no ${kind}: ${label}.`);
  const name = escapeHtml(label);
  const svg = draw(code).replace('<svg ', `<svg role="img" aria-label="${name}" `);
  const text = `<details><summary>Diagram as text</summary><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></details>`;
  return `<figure class="diagram"><div class="drawing" tabindex="0" role="group" aria-label="${name}">${svg}</div>${text}</figure>`;
}
