// SPDX-License-Identifier: Apache-2.0
/** The pages of the project that the build puts beside the classes, and the tables in them. */
package io.queuepair.tools.project;
