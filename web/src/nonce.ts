/** Styles that are made while the page runs need the nonce of this very answer. */
export const nonce =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
