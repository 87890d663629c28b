// Writes a contract as modules. Each consists of fixed text and of literals in JSON: no text of the document becomes
// code.
import type { ImportedContract } from './import-document.ts';
import type { ResourceData } from './resources.ts';
import { wordsOf } from './words.ts';

interface ContractFile {
  path: string;
  text: string;
}

const HEAD = '// Written by `slipway-server contract import`. The values come from the imported document.\n';
/** The URL of the written module. It stands here in parts, because a bundler replaces the whole in each text. */
const OWN_URL = ['import', 'meta', 'url'].join('.');
/** The names that become part of the code. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/** Returns the files of the contract's folder. */
export function contractFiles(contract: ImportedContract): ContractFile[] {
  const { resources } = contract;
  const unsafe = resources.find(({ name }) => !NAME.test(name));
  if (unsafe) throw new Error('A resource has a name that is no identifier.');
  return [
    { path: 'contract.mjs', text: contractText(contract) },
    ...resources.map((one) => ({ path: pathOf(one), text: resourceText(one) })),
  ];
}

const pathOf = ({ name }: ResourceData): string => `resources/${wordsOf(name).join('-')}.mjs`;

function contractText({ findings: _, resources, ...contract }: ImportedContract): string {
  const imports = resources.map((one) => `import declare${one.name} from './${pathOf(one)}';\n`);
  const steps = resources.map(
    ({ name, parentName }) =>
      `  const ${name} = declare${name}(kit${parentName === undefined ? '' : `, ${parentName}`});\n`,
  );
  const names = resources.map(({ name }) => name).join(', ');
  return `${HEAD}${imports.join('')}
export default (kit) => {
${steps.join('')}  return kit.defineContract({
    file: ${OWN_URL},
${membersOf(contract, '    ')}    resources: [${names}],
  });
};
`;
}

function resourceText({ parentName, ...data }: ResourceData): string {
  const isNested = parentName !== undefined;
  return `${HEAD}export default (kit${isNested ? ', parent' : ''}) =>
  kit.resource({
    file: ${OWN_URL},
${isNested ? '    parent,\n' : ''}${membersOf(data, '    ')}  });
`;
}

function membersOf(values: object, indent: string): string {
  const members = Object.entries(values).map(([name, value]) => `${indent}${name}: ${literal(value, indent)},\n`);
  return members.join('');
}

/** Returns a value as JSON, which is an expression of JavaScript, except that `__proto__` would set a prototype. */
function literal(value: unknown, indent: string): string {
  const text = JSON.stringify(
    value,
    (key, inner: unknown) => {
      if (key === '__proto__') throw new Error('A value has the field __proto__.');
      return inner;
    },
    2,
  );
  return text.replaceAll('\n', `\n${indent}`);
}
