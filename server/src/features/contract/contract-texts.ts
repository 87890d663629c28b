// The contract's text for each public address: made when it is first asked for, and then kept.
import type { Plane } from '../authority/index.ts';

export type ContractText = (plane: Plane) => string;

export function contractTexts(document: (publicUrl: string, problemsUrl: string) => object): ContractText {
  const texts = new Map<string, string>();
  return ({ publicUrl, problemsUrl }) => {
    let text = texts.get(publicUrl);
    if (text === undefined) {
      text = JSON.stringify(document(publicUrl, problemsUrl));
      texts.set(publicUrl, text);
    }
    return text;
  };
}
