export { default as systemErrors } from '../errors.ts';
