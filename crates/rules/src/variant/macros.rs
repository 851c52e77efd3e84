//! What makes a type and its part of the schema from one list.

/// A type that is one of several words in a variant file; its comments are the schema's sentences.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[doc = $meaning:literal])+ $variant:ident = $word:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[doc = $meaning])+ $variant, )+ }

        impl super::codec::Choice for $name {
            const WORDS: &'static [(&'static str, $name, &'static str)] =
                &[$( ($word, $name::$variant, concat!($($meaning),+)), )+];
        }
    };
}

/// A table of a variant file: a type with a field for each key, its reader, its writer and its part
/// of the schema. A line is `field: Type = "key" as codec`, with `or` what holds if the key is not
/// said; the comments are the schema's sentences.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( @named $(#[$name_meta:meta])* $table_name:ident; )?
            $(
                $(#[doc = $sentence:literal])+
                $field:ident: $type:ty = $key:literal as $codec:expr $(, or $default:literal)?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $( $(#[$name_meta])* pub $table_name: String, )?
            $( $(#[doc = $sentence])+ pub $field: $type, )+
        }

        impl Keyed for $name {
            fn keys() -> Vec<Key> {
                vec![$( Key::new::<$type>(
                    $key,
                    &$codec,
                    None$(.or(Some($default)))?,
                    concat!($($sentence),+),
                ), )+]
            }

            fn read(fields: &mut Fields<'_>) -> Option<$name> {
                $( let $table_name = fields.name(); )?
                $(
                    $( fields.fill($key, $default); )?
                    let $field: Option<$type> = $codec.read(fields, $key);
                )+
                Some($name { $( $table_name, )? $( $field: $field?, )+ })
            }

            fn write(&self, kinds: &[String]) -> Tree {
                [$( ($key, $codec.write(&self.$field, kinds)), )+]
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            }
        }
    };
}
