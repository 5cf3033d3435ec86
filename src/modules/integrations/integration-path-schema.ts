import { Type } from 'typebox';

export const tag = 'Integrations';

export const path = '/api/admin/addons';

/** A text, so that an id that is no number gives 404 instead of 400. */
export const params = Type.Object({ id: Type.String({ description: 'ID of the integration' }) });

/** The permission to edit integrations includes reading their records and redelivering events. */
export const mayEdit = ['ADMIN', 'UPDATE_ADDON'] as const;
