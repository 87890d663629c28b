// `npm run prose`: prints the faults of plain English per 1,000 words by group, next to the ceiling of each group. `--
// --list GROUP` prints the faults of the groups whose name contains GROUP. `-- --lower` lowers the ceilings to the
// current values.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ceilingOf, lowerCeilings, rateOf, readGroups, root } from './prose/index.ts';

const file = join(root, 'scripts/prose/ceilings.json');
const groups = readGroups();
const [option, wanted = ''] = process.argv.slice(2);

if (option === '--list') {
  for (const { name, faults } of groups.filter((group) => group.name.includes(wanted))) {
    console.log(`\n${name}`);
    for (const fault of faults) console.log(`  ${fault.file}:${fault.line}  ${fault.rule}: ${fault.text}`);
  }
} else if (option === '--lower') {
  writeFileSync(file, `${JSON.stringify(lowerCeilings(groups), null, 2)}\n`);
} else {
  const width = Math.max(...groups.map(({ name }) => name.length));
  console.log(`${'group'.padEnd(width)}    words  faults  per 1,000  ceiling`);
  for (const group of groups) {
    const figures = [String(group.words).padStart(9), String(group.faults.length).padStart(8)];
    const rates = [rateOf(group).toFixed(1).padStart(11), ceilingOf(group.name).toFixed(1).padStart(9)];
    console.log(group.name.padEnd(width) + figures.join('') + rates.join(''));
  }
  const words = groups.reduce((sum, group) => sum + group.words, 0);
  const faults = groups.reduce((sum, group) => sum + group.faults.length, 0);
  console.log(`${words} words, ${faults} faults: ${((faults / words) * 1_000).toFixed(1)} per 1,000`);
}
