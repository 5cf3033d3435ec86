import { ActionIcon, Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconExternalLink, IconPencil, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import {
  linkUrlPattern,
  maxLinks,
  maxTitleLength,
  maxUrlLength,
} from '../../../../src/modules/flags/features/links/link-schema.ts';
import { limit } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import classes from '../flags.module.css';
import { addLink, changeLink, linkName, removeLink, unsavedLink } from './edits.ts';
import { useFeatureRefusal } from './feature-refusal.ts';
import { type Feature, useFeatureView } from './view.ts';

type Link = NonNullable<Feature['links']>[number];

const isUrl = new RegExp(linkUrlPattern);

/** A pasted URL: without a scheme it is https. */
const addressOf = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
};

function LinkEditor({
  link,
  onClose,
}: {
  readonly link: Link | undefined;
  readonly onClose: () => void;
}) {
  const { feature } = useFeatureView();
  const [url, setUrl] = useState(link?.url ?? '');
  const [title, setTitle] = useState(link?.title ?? '');
  const address = addressOf(url);
  const isRight = isUrl.test(address) && address.length <= maxUrlLength;
  const save = () => {
    if (!isRight) return;
    const content = { url: address, title: title.trim() || null };
    void (link ? changeLink(feature, link, content) : addLink(feature, content));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={link ? 'Edit link' : 'Add link'}
      centered
      transitionProps={{ duration: 100 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label="URL"
            placeholder="https://"
            data-autofocus
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={url}
            error={
              url.trim() !== '' && !isRight
                ? 'Enter a URL that starts with https:// or http://'
                : undefined
            }
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <TextInput
            label="Title (optional)"
            description="Defaults to the URL"
            maxLength={maxTitleLength}
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isRight}>
              {link ? 'Save' : 'Add link'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Pages elsewhere that belong to the feature: the ticket, the design, the dashboard. */
export function Links() {
  const { feature } = useFeatureView();
  const [edited, setEdited] = useState<Link | 'new'>();
  const links = feature.links ?? [];
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const isFull = links.length >= maxLinks;
  return (
    <>
      {links.length === 0 ? (
        <Text size="sm" className="quiet" mb={4}>
          No links yet. Add a ticket, design, or dashboard.
        </Text>
      ) : (
        <ul className={classes.links}>
          {links.map((link) => (
            <li key={link.id}>
              <Anchor
                href={link.url}
                target="_blank"
                rel="noreferrer"
                size="sm"
                title={link.url}
                className={classes.link}
              >
                <span dir="auto">{linkName(link)}</span>
                <IconExternalLink size={14} aria-label="opens in a new tab" />
              </Anchor>
              {refusal === undefined && link.id !== unsavedLink && (
                <Group gap={0} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Edit link ${linkName(link)}`}
                    onClick={() => setEdited(link)}
                  >
                    <IconPencil size={14} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove link ${linkName(link)}`}
                    onClick={() => void removeLink(feature, link)}
                  >
                    <IconX size={14} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </li>
          ))}
        </ul>
      )}
      <GuardedButton
        refusal={refusal ?? (isFull ? limit(maxLinks, links.length, 'link') : undefined)}
        size="compact-sm"
        variant="subtle"
        className="flush"
        onClick={() => setEdited('new')}
      >
        Add link
      </GuardedButton>
      {edited && (
        <LinkEditor
          link={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
