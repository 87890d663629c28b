// Labels of diagrams as Mermaid writes them.

/** Returns the lines of a label, without Mermaid's entities and line breaks. */
export const linesOf = (label: string): string[] =>
  label
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&amp;/g, '&')
    .split(/<br\s*\/?>/);
