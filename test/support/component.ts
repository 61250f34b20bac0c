/** Stands for every `.vue` file: unit tests read what is around components, and show none. */
export default {};
