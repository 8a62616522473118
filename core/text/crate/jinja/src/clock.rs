// SPDX-License-Identifier: GPL-3.0-or-later
//! The frozen moment that strftime_now prints, in the C locale.

use crate::budget::check_size;
use crate::error::{unsupported, Result};

#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub year: i32,
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

impl Clock {
    fn is_leap(&self) -> bool {
        self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0)
    }

    /// Days since 1 January, from 0.
    fn day_of_year(&self) -> u32 {
        const BEFORE: [u32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        BEFORE[self.month as usize - 1] + self.day - 1 + u32::from(self.month > 2 && self.is_leap())
    }

    /// Sunday is 0.
    fn weekday(&self) -> u32 {
        let before = self.year - 1;
        let days = before * 365 + before / 4 - before / 100 + before / 400 + self.day_of_year() as i32;
        (days + 1).rem_euclid(7) as u32
    }

    pub fn is_valid(&self) -> bool {
        let lengths = [31, if self.is_leap() { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        (1..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=lengths[self.month as usize - 1]).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second < 60
    }

    pub fn strftime(&self, format: &str) -> Result<String> {
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c == '%' {
                let mut directive = chars.next();
                let unpadded = directive == Some('-');
                if unpadded {
                    directive = chars.next();
                }
                let Some(directive) = directive else { return unsupported("a strftime format that ends in %") };
                let text = self.directive(directive)?;
                if unpadded && !"dmHIMSjye".contains(directive) {
                    return unsupported(format!("the strftime directive %-{directive}"));
                }
                let bare = text.trim_start_matches(['0', ' ']);
                out.push_str(if !unpadded {
                    &text
                } else if bare.is_empty() {
                    "0"
                } else {
                    bare
                });
            } else {
                out.push(c);
            }
            check_size(out.len())?;
        }
        Ok(out)
    }

    fn directive(&self, directive: char) -> Result<String> {
        let month = MONTHS[self.month as usize - 1];
        let weekday = self.weekday();
        let day_name = DAYS[weekday as usize];
        let hour12 = (self.hour + 11) % 12 + 1;
        Ok(match directive {
            '%' => "%".into(),
            'a' => day_name[..3].into(),
            'A' => day_name.into(),
            'b' | 'h' => month[..3].into(),
            'B' => month.into(),
            'd' => format!("{:02}", self.day),
            'e' => format!("{:2}", self.day),
            'm' => format!("{:02}", self.month),
            'Y' => self.year.to_string(),
            'y' => format!("{:02}", self.year % 100),
            'H' => format!("{:02}", self.hour),
            'I' => format!("{hour12:02}"),
            'M' => format!("{:02}", self.minute),
            'S' => format!("{:02}", self.second),
            'f' => "000000".into(),
            'p' => if self.hour < 12 { "AM" } else { "PM" }.into(),
            'j' => format!("{:03}", self.day_of_year() + 1),
            'w' => weekday.to_string(),
            'u' => ((weekday + 6) % 7 + 1).to_string(),
            'U' => format!("{:02}", (self.day_of_year() + 7 - weekday) / 7),
            'W' => format!("{:02}", (self.day_of_year() + 7 - (weekday + 6) % 7) / 7),
            'F' => self.strftime("%Y-%m-%d")?,
            'T' => self.strftime("%H:%M:%S")?,
            'R' => self.strftime("%H:%M")?,
            'D' => self.strftime("%m/%d/%y")?,
            'x' => self.strftime("%m/%d/%y")?,
            'X' => self.strftime("%H:%M:%S")?,
            'c' => self.strftime("%a %b %e %H:%M:%S %Y")?,
            'n' => "\n".into(),
            't' => "\t".into(),
            'z' | 'Z' => String::new(), // the moment carries no time zone, as datetime.now() does not
            other => return unsupported(format!("the strftime directive %{other}")),
        })
    }
}
