// SPDX-License-Identifier: Apache-2.0
/** The programs shown in documents, compiled and run. */
package io.queuepair.tests.docs;
