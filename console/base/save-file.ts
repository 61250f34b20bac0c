/** Gives the operator a file. @param name with its ending */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
