import { Alert, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { contract } from '../../../../src/modules/access/settings/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { useDraftForm } from '../../ui/draft-form.ts';
import { fieldChange, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from '../admin.module.css';

/** How long events are kept. */
export function Retention() {
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Event retention"
      lead="How long to keep events. Deleted events can't be recovered; the deletion is recorded so the rest of the log stays verifiable."
      refusal={refusal}
    >
      <Period />
    </Page>
  );
}

const usualDays = 730;

const keptText = (days: number | null): string => (days === null ? 'forever' : plural(days, 'day'));

function Period() {
  const { eventDays, setBy } = useSuspenseQuery(read('GET /api/admin/settings/retention', {})).data;
  const draft = useDraftForm({
    saved: { eventDays },
    schema: contract.setRetention.body,
    bodyOf: (form) => form,
    send: (body) => api('PUT /api/admin/settings/retention', { body }),
    refreshes: ['GET /api/admin/settings/retention'],
    onSaved: (kept) =>
      tellDone({
        id: 'retention',
        title: `Event retention set to ${keptText(kept.eventDays)}`,
      }),
  });
  const { values, changed, set } = draft;
  const isFixed = setBy === 'environment';
  const isShorter =
    values.eventDays !== null && (eventDays === null || values.eventDays < eventDays);
  return (
    <>
      {isFixed && (
        <Alert color="gray" title="Set by environment variable">
          EVENT_RETENTION_DAYS is set on the server and overrides this setting.
        </Alert>
      )}
      <Stack className={`card ${classes.form}`} p="lg">
        <Radio.Group
          label="Keep events"
          value={values.eventDays === null ? 'forever' : 'days'}
          onChange={(value) => set('eventDays', value === 'forever' ? null : usualDays)}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="forever" label="Forever" disabled={isFixed} />
            <Radio value="days" label="For a number of days" disabled={isFixed} />
          </Stack>
        </Radio.Group>
        {values.eventDays !== null && (
          <NumberInput
            label="Days"
            w={160}
            min={1}
            max={100_000}
            allowDecimal={false}
            disabled={isFixed}
            value={values.eventDays}
            error={draft.errorAt('eventDays')}
            onChange={(value) => {
              if (typeof value === 'number') set('eventDays', value);
            }}
          />
        )}
        {changed.length > 0 && isShorter && (
          <Alert color="yellow" role="status">
            Older events will be permanently deleted within an hour.{' '}
            <PageLink to="/admin/instance" size="sm">
              Download a checkpoint first
            </PageLink>
            .
          </Alert>
        )}
        {draft.error && (
          <Alert color="red" role="alert">
            {draft.error.message}
          </Alert>
        )}
        <Text size="sm" className="quiet">
          Only events are deleted. Features, projects, and users aren't affected.
        </Text>
      </Stack>
      <SaveBar
        changes={
          changed.length === 0
            ? []
            : [fieldChange('keep events', keptText(eventDays), keptText(values.eventDays))]
        }
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
      />
    </>
  );
}
