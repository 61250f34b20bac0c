export { createUser, createUserId } from '../users/create-user.ts';
export { deleteUser } from '../users/delete-user.ts';
export { startSession } from '../users/start-session.ts';
export { type OpenId, type Terminal, terminals } from '../users/terminal.ts';
