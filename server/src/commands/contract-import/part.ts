// A part of a document: its value and its pointer. References to other parts of the same document are followed.
import { parsePointer } from '../../kit/text/json-pointer.ts';
import { isObject, type Json, type JsonObject, type OpenApiDocument } from './document.ts';
import type { Findings } from './findings.ts';
import { truncateText } from './words.ts';

const MAX_HOPS = 20;
const MAX_TEXT = 2_000;

export class Part {
  readonly value: Json;
  /** The part around this one, and the key of this one inside. Most parts need no pointer, which takes time to make. */
  readonly #place: { around: Part; key: string } | undefined;
  readonly #document: OpenApiDocument;
  readonly #findings: Findings;

  constructor(
    value: Json,
    place: { around: Part; key: string } | undefined,
    document: OpenApiDocument,
    findings: Findings,
  ) {
    this.value = value;
    this.#place = place;
    this.#document = document;
    this.#findings = findings;
  }

  get pointer(): string {
    if (!this.#place) return '';
    const { around, key } = this.#place;
    return `${around.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }

  get version(): '3.0' | '3.1' {
    return this.#document.version;
  }

  get root(): Part {
    return new Part(this.#document.root, undefined, this.#document, this.#findings);
  }

  get object(): JsonObject {
    return isObject(this.value) ? this.value : {};
  }

  /** Returns a part inside; undefined if it is missing. A reference is not followed. */
  own(key: string): Part | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    const inner: unknown = Reflect.get(value, key);
    return new Part(inner as Json, { around: this, key }, this.#document, this.#findings); // a value of Json
  }

  /** Returns a part inside and follows references on the way; undefined if it is missing. */
  at(...keys: string[]): Part | undefined {
    return keys.reduce<Part | undefined>((part, key) => part?.own(key)?.target(), this);
  }

  /** Returns the part that this reference refers to, or this part. Undefined if that does not exist. */
  target(): Part | undefined {
    let part: Part = this;
    for (let hops = 0; typeof part.object.$ref === 'string'; hops++) {
      const next: Part | undefined = hops < MAX_HOPS ? part.#referred(part.object.$ref) : undefined;
      if (!next) return undefined;
      part = next;
    }
    return part;
  }

  /** Returns a reference at this place, to a schema that is named by a pointer or by its name in `components`. */
  reference(name: string): Part {
    const $ref = name.includes('#') || name.includes('/') ? name : `#/components/schemas/${name}`;
    return new Part({ $ref }, this.#place, this.#document, this.#findings);
  }

  #referred(reference: string): Part | undefined {
    if (!reference.startsWith('#')) {
      this.report(`refers to ${reference.slice(0, 100)}, which is outside the document. It is not fetched`);
      return undefined;
    }
    const keys = parsePointer(decode(reference.slice(1)));
    const found = keys.reduce<Part | undefined>((part, key) => part?.own(key), this.root);
    if (!found) this.report(`refers to ${reference.slice(0, 100)}, which does not exist`);
    return found;
  }

  /** Returns the parts inside an object, by name: the first `most` of them. */
  entries(most: number = Number.POSITIVE_INFINITY): [name: string, part: Part][] {
    return Object.keys(this.object)
      .slice(0, most)
      .flatMap((name) => {
        const part = this.own(name);
        return part ? [[name, part] as [string, Part]] : [];
      });
  }

  items(): Part[] {
    return Array.isArray(this.value) ? this.value.flatMap((_, index) => this.own(String(index)) ?? []) : [];
  }

  text(key: string): string | undefined {
    const value = this.object[key];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }

  /** Returns a text of at most `most` UTF-16 code units. Reports and truncates a longer text. */
  shortText(key: string, most: number = MAX_TEXT): string | undefined {
    const text = this.text(key);
    if (text === undefined || text.length <= most) return text;
    this.own(key)?.report(`has more than ${most} characters. The contract keeps the first ${most}`);
    return truncateText(text, most);
  }

  isTrue(key: string): boolean {
    return this.object[key] === true;
  }

  /** Reports that the contract cannot express this part. */
  report(reason: string): void {
    this.#findings.add(this.pointer, reason);
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
