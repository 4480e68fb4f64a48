// SPDX-License-Identifier: Apache-2.0
/** The rules of the protocol: each with its source, its code and its test. */
package io.queuepair.tests.rules;
