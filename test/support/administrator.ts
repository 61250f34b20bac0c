/** The administrator that test services are installed with. */
export const administrator = { account: 'root', password: 'correct horse battery' };
