//! The two column types that sqlx cannot bind without another crate.

use sqlx::{
    Decode, Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, types::Oid},
};
use toolgate_domain::Timestamp;

/// PostgreSQL counts microseconds from 2000-01-01; we count them from 1970-01-01.
const EPOCH_2000_US: i64 = 946_684_800_000_000;

/// A moment as `timestamptz`, to the microsecond.
#[derive(Clone, Copy)]
pub(super) struct Moment(pub(super) Timestamp);

impl Type<Postgres> for Moment {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1184))
    }
}

impl PgHasArrayType for Moment {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(1185))
    }
}

impl Encode<'_, Postgres> for Moment {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let micros = self.0.as_micros() - EPOCH_2000_US;
        Encode::<Postgres>::encode_by_ref(&micros, buffer)
    }
}

impl Decode<'_, Postgres> for Moment {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        if value.format() != PgValueFormat::Binary {
            return Err("moments are read from prepared statements only".into());
        }
        let micros = i64::from_be_bytes(value.as_bytes()?.try_into()?);
        // `infinity` and the like saturate at the calendar's ends.
        Ok(Self(Timestamp::from_micros(micros.saturating_add(EPOCH_2000_US))))
    }
}

/// JSON that is text already. `json` keeps the text as it is, so what is read is what was written.
pub(super) struct JsonText<T = String>(pub(super) T);

impl<T> Type<Postgres> for JsonText<T> {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(114))
    }
}

impl<T> PgHasArrayType for JsonText<T> {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(199))
    }
}

impl<T: AsRef<str>> Encode<'_, Postgres> for JsonText<T> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        buffer.extend_from_slice(self.0.as_ref().as_bytes());
        Ok(IsNull::No)
    }
}

impl Decode<'_, Postgres> for JsonText {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_str()?.to_owned()))
    }
}
