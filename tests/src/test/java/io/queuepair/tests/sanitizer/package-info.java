// SPDX-License-Identifier: Apache-2.0
/** Tests of errors that the sanitizer finds, and of correct programs that it leaves alone. */
package io.queuepair.tests.sanitizer;

