import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Creates the parser of an option for whole numbers. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least}.`);
  };

export function numberAbove0(text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('It takes a number above 0.');
}
