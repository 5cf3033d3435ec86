export const adminToken = '*:*.test-admin';
export const clientToken = '*:development.test-client';
export const frontendToken = '*:development.test-frontend';
