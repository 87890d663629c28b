// Scores a page with Lighthouse's metrics over several visits, of which the median counts.
import type { Browser } from 'playwright-core';
import { median, progress } from '../../bench/kit.ts';
import type { Check } from '../kit.ts';
import { measurePage, type Profile, type Session, type Visit } from './measure.ts';
import { performanceOf } from './score.ts';

const LEAST_SCORE = 95;

export interface MeasuredPage {
  name: string;
  url: string;
  /** A text that appears when the page is ready. */
  ready: string;
  session: Session;
}

export async function checkSpeed(
  browser: Browser,
  page: MeasuredPage,
  profile: Profile,
  rounds: number,
): Promise<Check> {
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round++) visits.push(await measurePage(browser, profile, page.session, page));
  const middle = (name: 'fcp' | 'lcp' | 'tbt' | 'cls'): number => median(visits.map((visit) => visit[name]));
  const measures = { fcp: middle('fcp'), lcp: middle('lcp'), tbt: middle('tbt'), cls: middle('cls') };
  const score = performanceOf(measures, profile.curves);
  const { fcp, lcp, tbt, cls } = measures;
  const parts = `FCP ${fcp.toFixed(0)} ms, LCP ${lcp.toFixed(0)} ms, TBT ${tbt.toFixed(0)} ms, CLS ${cls.toFixed(3)}`;
  progress(`${page.name}, ${profile.name}: ${score.toFixed(0)} (${parts}; LCP is of “${visits[0]?.what}”)`);
  return {
    name: `performance: ${page.name}, ${profile.name}`,
    ok: score >= LEAST_SCORE,
    figure: `${score.toFixed(0)} (at least ${LEAST_SCORE}): ${parts}`,
  };
}
