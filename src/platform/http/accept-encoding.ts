/** Returns whether the client accepts gzip. A quality of 0 refuses it. */
export const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => {
      const [coding, quality = ''] = each.split(';');
      return coding?.trim() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(quality);
    });
