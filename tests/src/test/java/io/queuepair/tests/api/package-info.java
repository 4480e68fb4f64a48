// SPDX-License-Identifier: Apache-2.0
/** The verbs API as a Java program meets it: records, null, names of objects, ends of devices. */
package io.queuepair.tests.api;
