// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code queuepair} command: its top level and its error messages. Each command has a package
 * below; shared parts are in {@code cli}. Commands for developers are in the module lab. Uses
 * picocli, and the API that applications may use.
 */
package io.queuepair.tools;
