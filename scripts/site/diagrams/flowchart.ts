// Flowcharts: the part of Mermaid's language that our documents use, laid out by Graphviz.
//
//     flowchart LR
//       subgraph group["A title"]
//         one["First<br/>line two"]
//         two[("A database")]
//       end
//       one -->|"a label"| two & three
import { instance } from '@viz-js/viz';
import { linesOf } from './label.ts';

const viz = await instance();

const NODE = /(\w+)(?:\["([^"]*)"\]|\[\("([^"]*)"\)\])?/;
const NODES = String.raw`\w+(?:\[[^\]]*\])?(?:\s*&\s*\w+(?:\[[^\]]*\])?)*`;
const EDGE = new RegExp(String.raw`^(${NODES})\s*(<?-->|-\.->)\s*(?:\|"([^"]*)"\|)?\s*(${NODES})$`);

/** Returns the chart as SVG. Throws for a line outside of this part of the language. */
export function drawFlowchart(code: string): string {
  const [first = '', ...lines] = code.trim().split('\n');
  const direction = /^flowchart (\w+)/.exec(first)?.[1] ?? 'TB';
  const body = lines.map((line) => line.trim()).filter((line) => line !== '');
  const dot = [
    `digraph { rankdir=${direction}; bgcolor=transparent; nodesep=0.35; ranksep=0.55; fontname=Helvetica; fontsize=12;`,
    'node [shape=box fontname=Helvetica fontsize=12 margin="0.2,0.09"]; edge [fontname=Helvetica fontsize=11 arrowsize=0.7];',
    ...body.map(statementOf),
    '}',
  ].join('\n');
  return tidy(viz.renderString(dot, { format: 'svg' }));
}

const quoted = (label: string): string => `"${linesOf(label).join('\\n').replaceAll('"', '\\"')}"`;

function statementOf(line: string): string {
  const group = /^subgraph (\w+)\["([^"]*)"\]$/.exec(line);
  if (group) return `subgraph cluster_${group[1]} { label=${quoted(group[2] ?? '')}; labeljust=l; margin=14;`;
  if (line === 'end') return '}';
  const edge = EDGE.exec(line);
  if (edge) {
    const [, from = '', arrow, label, to = ''] = edge;
    const both = arrow === '<-->' ? ' dir=both' : '';
    const style = arrow === '-.->' ? ' style=dashed' : '';
    // The spaces around a label keep it off the line: the fonts of a page are wider than those of the layout.
    const text = label === undefined ? '' : ` label=${quoted(`  ${label.split(/<br\s*\/?>/).join('  <br/>  ')}  `)}`;
    return `${declarationsOf(from)} ${declarationsOf(to)} {${idsOf(from)}} -> {${idsOf(to)}} [${both}${style}${text}];`;
  }
  if (new RegExp(`^${NODE.source}$`).test(line)) return declarationsOf(line);
  throw new Error(`The site cannot draw this line of a flowchart: ${line}`);
}

const partsOf = (nodes: string): string[] => nodes.split(/\s*&\s*(?=\w+(?:\[|\s*&|\s*$))/);
const idsOf = (nodes: string): string =>
  partsOf(nodes)
    .map((one) => NODE.exec(one)?.[1] ?? '')
    .join(' ');

function declarationsOf(nodes: string): string {
  return partsOf(nodes)
    .map((one) => {
      const [, id = '', box, database] = NODE.exec(one) ?? [];
      if (database !== undefined) return `${id} [label=${quoted(database)} shape=cylinder];`;
      return box === undefined ? '' : `${id} [label=${quoted(box)}];`;
    })
    .join(' ');
}

/** Removes colours and fonts, which the style sheet sets. Keeps the drawing and its classes. */
function tidy(svg: string): string {
  return (
    svg
      .slice(svg.indexOf('<svg'))
      .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
      .replaceAll(/<title>[\s\S]*?<\/title>\n?/g, '')
      .replaceAll(/ (?:id|font-family|stroke|fill|xmlns:xlink)="[^"]*"/g, '')
      // A width in points would be a third larger than the pixels of the page.
      .replaceAll(/(width|height)="(\d+)pt"/g, '$1="$2"')
      .trim()
  );
}
