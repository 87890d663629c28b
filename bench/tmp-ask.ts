import { createManagement } from '../server/src/management.ts';
import { askerOf, QUESTIONS } from './inspector-questions.ts';
import { openBenchPlane } from './plane.ts';
import { readFileSync } from 'node:fs';
const { url: db, apps } = JSON.parse(readFileSync('/tmp/insp-urls', 'utf8'));
const open = openBenchPlane(db);
const management = createManagement(open.plane, (error) => console.error(error));
const url = await management.listen({ host: '127.0.0.1', port: 0 });
const ask = askerOf(url, apps);
const rx = new RegExp(process.argv[2] ?? 'hardly|nobody|simulated|second|code');
for (const q of QUESTIONS.filter((q) => rx.test(q.name))) {
  const t: number[][] = [[], []];
  for (let i = 0; i < Number(process.argv[3] ?? 60); i++) t[i % 2]!.push((await ask(q, i)).tookMs);
  const f = (a: number[]) => { a.sort((x, y) => x - y); return [0.5, 0.9].map((p) => a[Math.floor(a.length * p)]!.toFixed(0)).join('/'); };
  console.log(q.name, 'busy', f(t[0]!), 'small', f(t[1]!));
}
process.exit(0);
