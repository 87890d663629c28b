// Lighthouse's published curves. A log-normal distribution turns a metric into a score, given the values for 0.9 and
// 0.5, and the scores are weighted (developer.chrome.com/docs/lighthouse/performance/performance-scoring). The control
// points are in its repository in core/audits/metrics, the weights in core/config/default-config.js. Its Speed Index, a
// tenth of the whole, needs a film of the page and is omitted. Pure.

export interface Measures {
  /** First and largest contentful paint, and total blocking time, in milliseconds. */
  fcp: number;
  lcp: number;
  tbt: number;
  /** Cumulative layout shift. */
  cls: number;
}

interface Curve {
  /** The value with the score 0.9. */
  p10: number;
  median: number;
  weight: number;
}

type Curves = Readonly<Record<keyof Measures, Curve>>;

export const MOBILE: Curves = {
  fcp: { p10: 1_800, median: 3_000, weight: 10 },
  lcp: { p10: 2_500, median: 4_000, weight: 25 },
  tbt: { p10: 200, median: 600, weight: 30 },
  cls: { p10: 0.1, median: 0.25, weight: 25 },
};

export const DESKTOP: Curves = {
  fcp: { p10: 934, median: 1_600, weight: 10 },
  lcp: { p10: 1_200, median: 2_400, weight: 25 },
  tbt: { p10: 150, median: 350, weight: 30 },
  cls: { p10: 0.1, median: 0.25, weight: 25 },
};

/** Returns the error function by Abramowitz and Stegun 7.1.26, as Lighthouse does. */
function erf(x: number): number {
  const [sign, value] = [Math.sign(x), Math.abs(x)];
  const t = 1 / (1 + 0.3275911 * value);
  const y = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sign * (1 - y * Math.exp(-value * value));
}

const INVERSE_ERFC_ONE_FIFTH = 0.9061938024368232;

function scoreOf(value: number, { p10, median }: Curve): number {
  if (value <= 0) return 1;
  const x = (Math.log(value / median) * INVERSE_ERFC_ONE_FIFTH) / -Math.log(p10 / median);
  return (1 - erf(x)) / 2;
}

/** Returns a score from 0 to 100. */
export function performanceOf(measures: Measures, curves: Curves): number {
  const names = Object.keys(curves) as (keyof Measures)[]; // the keys of the curves alone
  const weights = names.reduce((sum, name) => sum + curves[name].weight, 0);
  const weighed = names.reduce((sum, name) => sum + curves[name].weight * scoreOf(measures[name], curves[name]), 0);
  return (100 * weighed) / weights;
}
