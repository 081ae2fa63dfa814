import type { FC } from 'hono/jsx';
import { AllowlistEditor, Dialog, Field, Form, Loading, Secret, Select, TextArea } from './layout/forms.page.tsx';
import type { PageContent } from './layout/layout.page.tsx';

const HANDLE_LENGTH = 40;
const HANDLE_HINT = 'Part of the address: 3 to 40 characters a-z, 0-9, _ and -. Your account keeps it; nobody else can have it later.';

const CreateDialog: FC = () => (
  <Dialog id="create-dialog" title="New project" wide>
    <Form id="create-form" sends="POST /projects" submit="Create project">
      <Field id="create-title" name="title" label="Title" required maxlength={120} autocomplete="off" hint="The address is made from it." />
      <Field id="create-handle" name="handle" label="Handle" required maxlength={HANDLE_LENGTH} autocomplete="off" hint={HANDLE_HINT} />
      <Field id="create-summary" name="summary" label="Summary (optional)" maxlength={280} autocomplete="off" sendAs="optional" />
      <p class="hint">A new project is private until you set its visibility to public.</p>
    </Form>
  </Dialog>
);

const ClaimDialog: FC = () => (
  <Dialog id="claim-dialog" title="Claim a mod" wide>
    <p class="hint">Mods in the catalog that have no owner can be claimed by their author.</p>
    <form id="search-form" class="row">
      <Field id="search" label="Search the mod" type="search" maxlength={100} autocomplete="off" hint="Title or author." />
    </form>
    <div id="found" class="results" role="status" />
    <Form id="claim-form" sends="POST /mod-claims" submit="Claim">
      <Field
        id="claim-mod"
        name="mod"
        label="Address"
        required
        maxlength={200}
        autocomplete="off"
        hint="Select a mod above, or enter handle/slug."
      />
      <div id="claim-handle-part" hidden>
        <Field
          id="claim-handle"
          name="handle"
          label="Your handle"
          maxlength={HANDLE_LENGTH}
          autocomplete="off"
          sendAs="optional"
          hint={`The mod moves to it. ${HANDLE_HINT}`}
        />
      </div>
      <TextArea
        id="claim-note"
        name="note"
        label="Evidence for the moderators (optional)"
        maxlength={500}
        rows={3}
        sendAs="optional"
        hint="For example the name under which you published the mod."
      />
    </Form>
  </Dialog>
);

/** `/portal/projects`: the projects and claims of the account. */
export function projectsPage(): PageContent {
  const main = (
    <>
      <div class="page-head">
        <h1>Your mods</h1>
        <div class="actions">
          <button type="button" data-opens="claim-dialog">
            Claim a mod
          </button>
          <button type="button" class="primary" data-opens="create-dialog">
            New project
          </button>
        </div>
      </div>
      <p class="hint">
        Publish releases of your mods here, or from a pipeline: <a href="/docs/recipes/publish-a-mod">guide</a>.
      </p>
      <section id="access-section" aria-labelledby="access-title" hidden>
        <h2 id="access-title">Permission to publish</h2>
        <p id="access-state" />
        <Form id="access-form" sends="POST /publishing-access" submit="Ask to publish">
          <TextArea
            id="access-note"
            name="note"
            label="What you want to publish (optional)"
            maxlength={500}
            rows={3}
            sendAs="optional"
            hint="You can ask once. You get an email with the decision."
          />
        </Form>
      </section>
      <section id="invitations-section" aria-labelledby="invitations-title" hidden>
        <h2 id="invitations-title">Invitations</h2>
        <p class="hint">You are a member only after you accept. Owners answer for what a mod publishes.</p>
        <Loading id="invitations" label="Loading your invitations…" />
      </section>
      <Loading id="projects" label="Loading your mods…" />
      <section id="claims-section" aria-labelledby="claims-title" hidden>
        <h2 id="claims-title">Claims</h2>
        <Loading id="claims" label="Loading your claims…" />
      </section>
      <details>
        <summary>Allowances</summary>
        <p class="hint">What your account may use for its mods. Delete drafts and images, or withdraw releases, to get bytes back.</p>
        <Loading id="allowances" label="Loading your allowances…" />
      </details>
      <CreateDialog />
      <ClaimDialog />
    </>
  );
  return { title: 'Your mods', path: '/portal/projects', script: 'projects/list.js', main };
}

const SECTIONS = [
  ['releases', 'Releases'],
  ['downloads', 'Downloads'],
  ['texts', 'Texts'],
  ['images', 'Images'],
  ['members', 'Members'],
  ['keys', 'Project keys'],
  ['audit', 'Audit trail'],
] as const;
const NOTES_LENGTH = 20_000;
const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif';

const FileField: FC<{ id: string; label: string; accept: string; hint: string; required?: boolean }> = ({ id, label, hint, ...rest }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} type="file" aria-describedby={`${id}-hint ${id}-error`} {...rest} />
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
    <p class="error" id={`${id}-error`} hidden />
  </div>
);

/** Texts of a release. `prefix`: prefix of the ids. */
const ReleaseTexts: FC<{ prefix: string }> = ({ prefix }) => (
  <>
    <div class="row">
      <Field id={`${prefix}-tag`} name="tag" label="Tag" required maxlength={80} autocomplete="off" hint="Version, for example 1.2.0." />
      <Field
        id={`${prefix}-branch`}
        name="branch"
        label="Branch"
        required
        maxlength={80}
        value="main"
        autocomplete="off"
        hint="Variant of the mod."
      />
    </div>
    <Field id={`${prefix}-title`} name="title" label="Title (optional)" maxlength={120} autocomplete="off" />
    <TextArea
      id={`${prefix}-changelog`}
      name="changelog"
      label="Notes (optional)"
      maxlength={NOTES_LENGTH}
      rows={6}
      hint="What changed, for players."
    />
  </>
);

const Silent: FC<{ id: string }> = ({ id }) => (
  <label class="choice">
    <input type="checkbox" id={id} />
    <span>
      <b>Silent</b> <span class="hint">publish without an event, for example for a repaired file</span>
    </span>
  </label>
);

const UploadDialog: FC = () => (
  <Dialog id="upload-dialog" title="New release" wide>
    <Form id="upload-form" sends="POST {project}/releases" submit="Upload">
      <FileField id="upload-file" label="File" accept=".tmod,.zip" required hint="A .tmod or .zip file of at most 20 MB." />
      <ReleaseTexts prefix="upload" />
      <FileField id="upload-image" label="Image (optional)" accept={IMAGE_TYPES} hint="PNG, JPEG, WebP or GIF of at most 5 MB." />
      <Silent id="upload-silent" />
      <label class="choice">
        <input type="checkbox" id="upload-publish" />
        <span>
          <b>Publish at once</b> <span class="hint">otherwise the release is stored as a draft</span>
        </span>
      </label>
      <progress id="upload-progress" max={1} value={0} aria-label="Sent share of the file" hidden />
      <p class="hint" id="upload-state" role="status" />
    </Form>
  </Dialog>
);

const EditDialog: FC = () => (
  <Dialog id="edit-dialog" title="Edit the draft" wide>
    <Form id="edit-form" sends="PATCH {release}" submit="Save">
      <ReleaseTexts prefix="edit" />
      <Silent id="edit-silent" />
      <FileField id="edit-image" label="New image (optional)" accept={IMAGE_TYPES} hint="PNG, JPEG, WebP or GIF of at most 5 MB." />
      <label class="choice" id="edit-no-image-part" hidden>
        <input type="checkbox" id="edit-no-image" />
        <span>Remove the image</span>
      </label>
      <progress id="edit-progress" max={1} value={0} aria-label="Sent share of the image" hidden />
    </Form>
  </Dialog>
);

const ReleaseDialogs: FC = () => (
  <>
    <UploadDialog />
    <EditDialog />
    <Dialog id="publish-dialog" title="Publish the release">
      <p>
        <b data-role="name" />: everybody can download it, and its tag and file never change again.
      </p>
      <Form id="publish-form" sends="POST {release}/publish" submit="Publish">
        <Field id="publish-at" name="at" label="At (your time)" type="datetime-local" hint="Within 90 days. Empty: now." />
      </Form>
    </Dialog>
    <Dialog id="withdraw-dialog" title="Withdraw the release">
      <p>
        <b data-role="name" /> <span id="withdraw-note" />
      </p>
      <Form id="withdraw-form" sends="POST {release}/withdraw" submit="Withdraw" danger>
        <Field id="withdraw-reason" name="reason" label="Reason" required maxlength={500} autocomplete="off" hint="Shown to the members." />
      </Form>
    </Dialog>
    <Dialog id="delete-dialog" title="Delete the draft">
      <p>
        <b data-role="name" /> is deleted with its file. This cannot be undone. Its tag is free again.
      </p>
      <Form id="delete-form" sends="DELETE {release}" submit="Delete" danger />
    </Dialog>
  </>
);

const TextsForm: FC = () => (
  <Form id="texts-form" sends="PATCH {project}" submit="Save texts">
    <div class="row">
      <Field id="texts-title" name="title" label="Title" required maxlength={120} autocomplete="off" hint="The address stays the same." />
      <Field
        id="texts-credited"
        name="credited"
        label="Credits"
        maxlength={200}
        autocomplete="off"
        hint="Names of others who helped. The author is always the members."
      />
      <Select
        id="texts-visibility"
        name="visibility"
        label="Visibility"
        options={['public', 'unlisted', 'private'].map((value) => [value, value])}
        hint="Only public mods have a page."
      />
    </div>
    <Field id="texts-summary" name="summary" label="Summary" maxlength={280} autocomplete="off" />
    <Field id="texts-tags" name="tags" label="Tags" maxlength={500} autocomplete="off" hint="Separated by commas, at most 12." />
    <TextArea id="texts-description" name="description" label="Description" maxlength={40_000} rows={8} />
    <TextArea id="texts-readme" name="readme_text" label="Readme" maxlength={60_000} rows={4} />
    <TextArea id="texts-warnings" name="warnings" label="Warnings" maxlength={4000} rows={2} />
    <div class="row">
      <Field id="texts-website" name="website_url" label="Website" maxlength={500} autocomplete="off" hint="https://…" />
      <Field id="texts-chat" name="discord_url" label="Chat invitation" maxlength={500} autocomplete="off" hint="https://…" />
    </div>
    <TextArea id="texts-donations" name="donation_urls" label="Donation pages, one per line" rows={2} hint="At most 5." />
    <label class="choice">
      <input type="checkbox" id="texts-beta" />
      <span>
        <b>Beta</b> <span class="hint">shown as not finished</span>
      </span>
    </label>
  </Form>
);

const MemberDialogs: FC = () => (
  <>
    <Dialog id="member-dialog" title="Invite a member">
      <Form id="member-form" sends="POST {members}" submit="Invite">
        <Field
          id="member-handle"
          name="handle"
          label="Handle"
          required
          maxlength={40}
          autocomplete="off"
          hint="A handle of the account. It gets an email, and becomes a member when it accepts within 14 days."
        />
        <Select
          id="member-role"
          name="role"
          label="Role"
          options={['author', 'owner'].map((value) => [value, value])}
          hint="Authors publish. Owners also manage members and all keys."
        />
      </Form>
    </Dialog>
    <Dialog id="remove-dialog" title="Remove the member">
      <p>
        <b data-role="name" /> can no longer publish, and the keys of this member end.
      </p>
      <p id="last-owner-note" hidden>
        This is the last owner. Without an owner the project is hidden from its members, and all its keys end. What it published stays. Only
        a moderator can give it an owner again.
      </p>
      <Form id="remove-form" sends="DELETE {member}" submit="Remove" danger />
    </Dialog>
  </>
);

const KeyDialogs: FC = () => (
  <>
    <Dialog id="key-dialog" title="New project key" wide>
      <Form id="key-form" sends="POST {keys}" submit="Create key">
        <Field
          id="key-name"
          name="name"
          label="Name"
          required
          maxlength={80}
          autocomplete="off"
          hint="For example the name of the pipeline."
        />
        <Select
          id="key-days"
          name="expires_in_days"
          label="Expires after"
          options={[
            ['30', '30 days'],
            ['90', '90 days'],
            ['365', 'one year'],
          ]}
          preset="90"
        />
        <AllowlistEditor prefix="key" note="Without entries the key works from any address." />
      </Form>
    </Dialog>
    <Dialog id="secret-dialog" title="Copy the key now">
      <p>The key is shown only once. Store it as a secret of your pipeline. If you lose it, create another one.</p>
      <Secret id="secret" isPrimary />
      <p>
        <a href="/docs/recipes/publish-a-mod">Publish from a pipeline</a>
      </p>
      <div class="actions">
        <button type="button" data-close>
          I have copied it
        </button>
      </div>
    </Dialog>
    <Dialog id="end-dialog" title="Revoke the key">
      <p>
        <b data-role="name" /> stops working with its next request. This cannot be undone.
      </p>
      <Form id="end-form" sends="DELETE {key}" submit="Revoke" danger />
    </Dialog>
  </>
);

const ACTIONS: Readonly<Record<string, { dialog: string; label: string }>> = {
  releases: { dialog: 'upload-dialog', label: 'New release' },
  members: { dialog: 'member-dialog', label: 'Invite a member' },
  keys: { dialog: 'key-dialog', label: 'New key' },
};

const HINTS: Readonly<Record<string, string>> = {
  keys: 'A key publishes releases of this project and nothing else. It ends with your membership.',
  audit: 'What members, keys and moderators did to the project: the newest 500 entries.',
};

const Images: FC = () => (
  <div class="row">
    <FileField
      id="banner-file"
      label="New banner"
      accept={IMAGE_TYPES}
      hint="PNG, JPEG, WebP or GIF of at most 5 MB. Replaces the banner."
    />
    <FileField id="preview-file" label="Add a preview" accept={IMAGE_TYPES} hint="At most 8 previews." />
  </div>
);

/** Target of the link in an invitation. Opening the page changes nothing. */
export function invitationPage(): PageContent {
  const main = (
    <section class="narrow">
      <h1>Invitation to a mod</h1>
      <p>
        The email names the mod and the role. You become a member only when you accept. If you do not know who invited you, decline or close
        this page.
      </p>
      <Form id="accept" sends="POST /mod-invitations/by-link" submit="Accept" />
      <Form id="decline" sends="POST /mod-invitations/by-link" submit="Decline" danger />
      <p class="links">
        <a href="/portal/projects">Your mods</a>
      </p>
    </section>
  );
  return { title: 'Invitation to a mod', script: 'projects/invitation.js', main };
}

/** `/portal/projects/{handle}/{slug}`: one project. The script reads the address and loads the data. */
export function projectPage(): PageContent {
  const main = (
    <div class="project">
      <p class="links">
        <a href="/portal/projects">Your mods</a>
      </p>
      <div class="page-head">
        <h1 id="project-title">Project</h1>
        <div class="actions" id="project-links" />
      </div>
      <div id="project-state" class="results" aria-busy="true">
        <p class="hint">Loading the project…</p>
      </div>
      <div id="sections" hidden>
        <nav class="choices-bar" aria-label="Sections">
          {SECTIONS.map(([id, title]) => (
            <a class="button" href={`#${id}-heading`}>
              {title}
            </a>
          ))}
        </nav>
        {SECTIONS.map(([id, title]) => (
          <section aria-labelledby={`${id}-heading`}>
            <div class="page-head">
              <h2 id={`${id}-heading`}>{title}</h2>
              {ACTIONS[id] ? (
                <button type="button" class={id === 'releases' ? 'primary' : undefined} data-opens={ACTIONS[id].dialog} data-for={id}>
                  {ACTIONS[id].label}
                </button>
              ) : null}
            </div>
            {HINTS[id] ? <p class="hint">{HINTS[id]}</p> : null}
            {id === 'texts' ? <TextsForm /> : <Loading id={id} label="Loading…" />}
            {id === 'images' ? <Images /> : null}
          </section>
        ))}
        <section id="end-of-project" aria-labelledby="end-title" hidden>
          <h2 id="end-title">Delete the project</h2>
          <p class="hint">Possible while nothing was published. Drafts and keys are deleted with it.</p>
          <button type="button" class="danger" data-opens="project-dialog">
            Delete the project
          </button>
        </section>
      </div>
      <ReleaseDialogs />
      <MemberDialogs />
      <KeyDialogs />
      <Dialog id="project-dialog" title="Delete the project">
        <p>The project is deleted with its drafts and keys. This cannot be undone.</p>
        <Form id="project-form" sends="DELETE {address}" submit="Delete" danger next="/portal/projects" />
      </Dialog>
    </div>
  );
  return { title: 'Project', path: '/portal/projects', script: 'projects/project.js', main };
}
