export { findDemoAdmin } from '../demo/admins.ts';
export { addDemoCategory, addDemoFile, removeDemoFiles } from '../demo/files.ts';
export { drawAvatar, drawLandscape } from '../demo/picture.ts';
export { runRequest } from '../demo/request.ts';
