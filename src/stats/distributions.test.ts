import { describe, expect, it } from 'vitest';
import {
  betaQuantile,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from './distributions.ts';

// Worked with 30-digit arithmetic (mpmath), printed to 13.
describe('distributions', () => {
  it.each([
    [0.1, 2.252712651734],
    [0.5, 0.5723649429247],
    [1.5, -0.1207822376352],
    [10, 12.80182748008],
    [100.5, 361.4355404678],
  ])('logGamma(%f)', (x, wanted) => {
    expect(logGamma(x)).toBeCloseTo(wanted, 9);
  });

  it.each([
    [0.3, 2, 3, 0.3483],
    [0.5, 0.5, 0.5, 0.5],
    [0.9, 10, 2, 0.6973568802],
    [0.01, 0.2, 7, 0.6262679659376],
    [0.999, 40, 0.5, 0.7779198676357],
    [0.5, 200, 210, 0.6894852134274],
    [0, 2, 3, 0],
    [1, 2, 3, 1],
  ])('incompleteBeta(%f, %f, %f)', (x, a, b, wanted) => {
    expect(incompleteBeta(x, a, b)).toBeCloseTo(wanted, 11);
  });

  it.each([
    [-5, 2.866515718792e-7],
    [-2.5, 0.006209665325776],
    [-1, 0.1586552539315],
    [0, 0.5],
    [0.5, 0.691462461274],
    [1.959963984540054, 0.975],
    [2.9, 0.9981341866996],
    [3.5, 0.999767370921],
  ])('normalCdf(%f)', (x, wanted) => {
    expect(normalCdf(x) / wanted).toBeCloseTo(1, 11);
  });

  it.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729144],
    [0.5, 0],
    [0.001, -3.090232306168],
    [0.99999, 4.264890793923],
    [1e-10, -6.361340902404],
  ])('normalQuantile(%f)', (p, wanted) => {
    expect(normalQuantile(p)).toBeCloseTo(wanted, 9);
  });

  it.each([
    [2, 3, 0.9303370157206],
    [-1.5, 7, 0.08864924349499],
    [0.1, 1, 0.5317255174306],
    [30, 2, 0.999445368659],
  ])('tCdf(%f, %f)', (t, degrees, wanted) => {
    expect(tCdf(t, degrees)).toBeCloseTo(wanted, 11);
  });

  it.each([
    [0.5, 164.5576734805],
    [1, 12.70620473617],
    [2, 4.302652729749],
    [2.5, 3.574654842004],
    [4, 2.776445105198],
    [9, 2.262157162798],
    [49, 2.009575237129],
    [300, 1.967903011261],
  ])('97.5%% quantile of t on %f degrees', (degrees, wanted) => {
    expect(tQuantile(0.975, degrees) / wanted).toBeCloseTo(1, 10);
    expect(tQuantile(0.025, degrees) / -wanted).toBeCloseTo(1, 10);
  });

  it('goes back from quantile to probability', () => {
    for (const p of [0.01, 0.2, 0.5, 0.77, 0.995]) {
      expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 12);
      expect(tCdf(tQuantile(p, 3.3), 3.3)).toBeCloseTo(p, 12);
      expect(incompleteBeta(betaQuantile(p, 2.5, 7), 2.5, 7)).toBeCloseTo(p, 12);
    }
  });

  it('holds a t quantile that no interval can use at a finite size', () => {
    expect(tQuantile(0.975, 0.001)).toBe(1e100);
    expect(tQuantile(0.5, 0.001)).toBe(0);
  });

  it('refuses what has no quantile', () => {
    expect(() => normalQuantile(0)).toThrow(RangeError);
    expect(() => tQuantile(0.975, 0)).toThrow(RangeError);
    expect(() => betaQuantile(1.5, 1, 1)).toThrow(RangeError);
  });
});
