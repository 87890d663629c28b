// The smallest files of usual types, for responses with a file. Programs that read a file can decode them.
import { typeName } from '../../kit/http/preferred-type.ts';

const TEXT = 'A file of the sandbox.\n';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>A file of the sandbox.</title></svg>\n';
/** A white pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==';
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
/** One table of Huffman codes (ITU T.81, B.2.4.2), which has the value 0 only. */
const jpegCodes = (id: string): string => `ffc40014${id}01${'00'.repeat(16)}`;
/** A grey pixel: the quantisation, the frame, two tables of codes and the scan. */
const JPEG = `ffd8ffdb004300${'01'.repeat(64)}ffc0000b080001000101011100${jpegCodes('00')}${jpegCodes('10')}ffda0008010100003f003fffd9`;
const PDF_OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Resources<<>>>>',
];

/** Returns an empty page. The table at the end has the position of each object (ISO 32000-1, 7.5.4). */
function pdf(): string {
  let text = '%PDF-1.4\n';
  const positions = PDF_OBJECTS.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = PDF_OBJECTS.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${positions.join('')}`;
  return `${text}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

const FILES: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from(PNG, 'base64'),
  'image/gif': Buffer.from(GIF, 'base64'),
  'image/jpeg': Buffer.from(JPEG, 'hex'),
  'image/svg+xml': Buffer.from(SVG),
  'application/pdf': Buffer.from(pdf()),
};
const OTHER = Buffer.from(TEXT);

/** Returns a file of the type, or a text for other types. */
export function fileOfType(type = ''): Buffer {
  const name = typeName(type);
  return (Object.hasOwn(FILES, name) ? FILES[name] : undefined) ?? OTHER;
}
