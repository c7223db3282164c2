use proptest::prelude::*;
use toolgate_domain::{
    UserId,
    ids::{Uuid, WorkspaceId},
};

use super::*;

const OURS: TenantId = TenantId::from_uuid(Uuid::from_u128(1));
const THEIRS: TenantId = TenantId::from_uuid(Uuid::from_u128(2));
const VALUE: &str = "correct horse battery staple";

fn master(byte: u8) -> MasterKey {
    HEXLOWER.encode(&[byte; KEY_BYTES]).parse().unwrap()
}

fn name(text: &str) -> SecretName {
    text.parse().unwrap()
}

fn value() -> SecretValue {
    SecretValue::new(VALUE.to_owned()).unwrap()
}

fn place(name: &SecretName) -> SecretPlace<'_> {
    SecretPlace { tenant: OURS, scope: SecretScope::Tenant, name }
}

#[test]
fn a_master_key_reads_from_hex_and_from_every_common_base64_as_the_same_key() {
    let bytes = [0xfb; KEY_BYTES];
    let hex = HEXLOWER.encode(&bytes);
    let texts = [
        hex.to_uppercase(),
        format!(" {hex}\n"),
        data_encoding::BASE64.encode(&bytes),
        BASE64_NOPAD.encode(&bytes),
        data_encoding::BASE64URL.encode(&bytes),
        data_encoding::BASE64URL_NOPAD.encode(&bytes),
    ];
    for text in texts {
        assert_eq!(text.parse::<MasterKey>().unwrap().id(), master(0xfb).id());
    }
    assert_eq!(master(0).id(), "66687aad", "the first 8 hex characters of the SHA-256 of 32 zero bytes");
}

#[test]
fn a_master_key_of_another_size_or_alphabet_is_refused_and_not_repeated() {
    for text in ["", "hunter2", &"ab".repeat(31), &"zz".repeat(32), &BASE64_NOPAD.encode(&[1; 33])] {
        let error = text.parse::<MasterKey>().unwrap_err();
        assert!(error.to_string().contains("openssl rand"), "{error}");
        assert!(text.is_empty() || !format!("{error} {error:?}").contains(text));
    }
}

#[test]
fn sealing_twice_gives_two_ciphertexts_and_neither_contains_the_value() {
    let vault = Vault::new(master(1));
    let key = vault.new_tenant_key(OURS).unwrap();
    let name = name("API_KEY");
    let (one, two) = (vault.seal(&key, place(&name), &value()), vault.seal(&key, place(&name), &value()));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_ne!(one, two);
    assert!(!one.ciphertext.windows(7).any(|window| window == b"correct"));
}

#[test]
fn a_row_moved_to_another_tenant_scope_or_name_does_not_open() {
    let vault = Vault::new(master(1));
    let (key, their_key) = (vault.new_tenant_key(OURS).unwrap(), vault.new_tenant_key(THEIRS).unwrap());
    let (name, other) = (name("API_KEY"), name("API_KEY2"));
    let id = Uuid::from_u128(3);
    let (user, workspace) = (UserId::from_uuid(id), WorkspaceId::from_uuid(id));
    let home = SecretPlace { scope: SecretScope::User(user), ..place(&name) };
    let sealed = vault.seal(&key, home, &value()).unwrap();
    assert_eq!(vault.open(&key, home, &sealed).unwrap().expose(), VALUE);

    let moves = [
        SecretPlace { name: &other, ..home },
        SecretPlace { scope: SecretScope::Tenant, ..home },
        SecretPlace { scope: SecretScope::Workspace(workspace), ..home },
        SecretPlace { scope: SecretScope::User(UserId::from_uuid(Uuid::from_u128(4))), ..home },
    ];
    for moved in moves {
        let error = vault.open(&key, moved, &sealed).unwrap_err();
        assert!(matches!(error, VaultError::TamperedSecret { .. }), "{moved:?}: {error}");
    }
    let abroad = SecretPlace { tenant: THEIRS, ..home };
    assert!(matches!(vault.open(&their_key, abroad, &sealed), Err(VaultError::TamperedSecret { .. })));
    assert!(
        matches!(vault.open(&key, abroad, &sealed), Err(VaultError::TamperedKey { .. })),
        "nor does the key"
    );
}

#[test]
fn another_master_key_is_refused_with_the_ids_of_both() {
    let (vault, stranger) = (Vault::new(master(1)), Vault::new(master(2)));
    let key = vault.new_tenant_key(OURS).unwrap();
    let name = name("API_KEY");
    let sealed = vault.seal(&key, place(&name), &value()).unwrap();
    let error = stranger.open(&key, place(&name), &sealed).unwrap_err().to_string();
    assert!(error.contains(vault.master_key_id()) && error.contains(stranger.master_key_id()), "{error}");

    let relabelled = WrappedKey { master_key_id: stranger.master_key_id().to_owned(), ..key };
    let error = stranger.open(&relabelled, place(&name), &sealed).unwrap_err();
    assert!(matches!(error, VaultError::TamperedKey { .. }), "a changed label does not help: {error}");
}

#[test]
fn after_a_rotation_the_new_master_key_opens_old_secrets_and_the_old_one_does_not() {
    let old = Vault::new(master(1));
    let key = old.new_tenant_key(OURS).unwrap();
    let name = name("API_KEY");
    let sealed = old.seal(&key, place(&name), &value()).unwrap();

    let rotated = Vault::rewrap(OURS, &key, &master(1), &master(2)).unwrap();
    let new = Vault::new(master(2));
    assert_eq!(rotated.master_key_id, new.master_key_id());
    assert_eq!(new.open(&rotated, place(&name), &sealed).unwrap().expose(), VALUE);
    assert!(matches!(old.open(&rotated, place(&name), &sealed), Err(VaultError::WrongMasterKey { .. })));
    assert!(matches!(
        Vault::rewrap(OURS, &rotated, &master(1), &master(3)),
        Err(VaultError::WrongMasterKey { .. })
    ));
    assert!(matches!(
        Vault::rewrap(THEIRS, &key, &master(1), &master(2)),
        Err(VaultError::TamperedKey { .. })
    ));
}

#[test]
fn debug_shows_neither_values_nor_keys() {
    let vault = Vault::new(master(0xab));
    let key = vault.new_tenant_key(OURS).unwrap();
    let name = name("API_KEY");
    let sealed = vault.seal(&key, place(&name), &value()).unwrap();
    let broken = SealedSecret { nonce: [0; NONCE_BYTES], ..sealed.clone() };
    let error = vault.open(&key, place(&name), &broken).unwrap_err();
    let shown = format!("{vault:?} {key:?} {sealed:?} {:?} {:?} {error:?} {error}", value(), place(&name));
    assert!(shown.contains(vault.master_key_id()), "{shown}");
    for hidden in ["correct", "abab", "171, 171", &format!("{:?}", sealed.ciphertext)] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

proptest! {
    #[test]
    fn what_is_sealed_opens_as_it_was(text in "\\PC{4,200}") {
        let vault = Vault::new(master(1));
        let key = vault.new_tenant_key(OURS).unwrap();
        let name = name("n");
        let sealed = vault.seal(&key, place(&name), &SecretValue::new(text.clone()).unwrap()).unwrap();
        let opened = vault.open(&key, place(&name), &sealed).unwrap();
        prop_assert_eq!(opened.expose(), &text);
    }

    #[test]
    fn one_changed_bit_anywhere_is_noticed(at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let vault = Vault::new(master(1));
        let key = vault.new_tenant_key(OURS).unwrap();
        let name = name("n");
        let sealed = vault.seal(&key, place(&name), &value()).unwrap();

        let mut changed = sealed.clone();
        let index = at.index(NONCE_BYTES + changed.ciphertext.len());
        *changed.nonce.iter_mut().chain(&mut changed.ciphertext).nth(index).unwrap() ^= 1_u8 << bit;
        let refused = matches!(vault.open(&key, place(&name), &changed), Err(VaultError::TamperedSecret { .. }));
        prop_assert!(refused);

        let mut changed = key.clone();
        let index = at.index(NONCE_BYTES + changed.ciphertext.len());
        *changed.nonce.iter_mut().chain(&mut changed.ciphertext).nth(index).unwrap() ^= 1_u8 << bit;
        let refused = matches!(vault.open(&changed, place(&name), &sealed), Err(VaultError::TamperedKey { .. }));
        prop_assert!(refused);
    }
}
