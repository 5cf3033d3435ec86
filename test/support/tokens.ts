/** The password of the first administrator, whose user name is admin. */
export const administratorPassword = 'correct-horse-42-battery';
export const adminToken = '*:*.test-admin';
export const clientToken = '*:development.test-client';
export const frontendToken = '*:development.test-frontend';
