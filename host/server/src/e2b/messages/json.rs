//! Where JSON differs from what serde would do: bytes in base64, long numbers as text, enumerations
//! by name, times in the form of RFC 3339.

use serde::{Deserialize, Deserializer, Serializer};

/// Bytes as base64.
pub(super) mod base64 {
    use super::{Deserialize, Deserializer, Serializer};
    use ::base64::Engine;
    use ::base64::alphabet;
    use ::base64::engine::DecodePaddingMode;
    use ::base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
    use bytes::Bytes;

    /// Either alphabet and any padding is taken, as the protobuf JSON mapping asks for.
    const READ: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const PLAIN: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, READ);
    const URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, READ);

    pub(in super::super) fn serialize<S: Serializer>(
        bytes: &Bytes,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Bytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        let decoded = PLAIN.decode(&text).or_else(|_| URL.decode(&text));
        decoded.map(Bytes::from).map_err(serde::de::Error::custom)
    }
}

/// A long number as text.
pub(super) fn long<S: Serializer>(number: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// What has names in the schema.
pub(super) trait Named: Copy + Into<i32> + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
}

/// An enumeration by its name; by its number where the schema has no name.
pub(super) fn name<S: Serializer, E: Named>(number: &i32, to: S) -> Result<S::Ok, S::Error> {
    match E::ALL.iter().find(|known| (**known).into() == *number) {
        Some(known) => to.serialize_str(known.name()),
        None => to.serialize_i32(*number),
    }
}

/// An enumeration by its name or its number.
pub(super) fn number<'de, D: Deserializer<'de>, E: Named>(from: D) -> Result<i32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sent {
        Number(i32),
        Name(String),
    }
    match Sent::deserialize(from)? {
        Sent::Number(number) => Ok(number),
        Sent::Name(name) => match E::ALL.iter().find(|known| known.name() == name) {
            Some(known) => Ok((*known).into()),
            None => Err(serde::de::Error::custom(format!("{name:?} is not known"))),
        },
    }
}

/// Reads `null` as the default, as the protobuf JSON mapping asks for.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
