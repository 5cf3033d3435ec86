/** Hands a blob to the browser as a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Hands a JSON text to the browser as a file. */
export const saveJson = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: 'application/json' }));
