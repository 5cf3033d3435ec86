/** Styles that are added at runtime need the nonce of this response. */
export const nonce =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
