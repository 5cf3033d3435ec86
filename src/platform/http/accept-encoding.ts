/** Returns whether the client accepts a coding, such as gzip. A quality of 0 refuses it. */
export const takesCoding = (coding: string, header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => {
      const [name, quality = ''] = each.split(';');
      return name?.trim() === coding && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(quality);
    });

export const takesGzip = (header: string | string[] | undefined): boolean =>
  takesCoding('gzip', header);
