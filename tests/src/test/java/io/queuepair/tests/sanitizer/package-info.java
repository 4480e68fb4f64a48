// SPDX-License-Identifier: Apache-2.0
/** What the sanitizer finds, and what it leaves alone. */
package io.queuepair.tests.sanitizer;

