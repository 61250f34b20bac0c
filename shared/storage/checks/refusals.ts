import { AppError } from '#shared/errors/app-error.ts';

const shownCharacters = 40;

/** The error for bytes that are not what the extension says. */
export function contentMismatch(cause?: unknown): AppError {
  return new AppError('upload.content_mismatch', { cause });
}

/**
 * The error for a file that could run or fetch something.
 *
 * @param found the markup or part that does, as `onload` or `<script>`; answered, shortened, as `{found}`
 */
export function activeContent(found: string): AppError {
  return new AppError('upload.active_content', { params: { found: found.slice(0, shownCharacters) } });
}
