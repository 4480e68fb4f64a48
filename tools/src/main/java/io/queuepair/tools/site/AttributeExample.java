// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.verbs.QpAttrMask;

/**
 * A value of an attribute, as a program writes it.
 *
 * @param c behind the field of {@code struct ibv_qp_attr} and an equals sign
 * @param java the arguments of the setter
 */
record AttributeExample(String c, String java) {
  static AttributeExample of(QpAttrMask mask) {
    return ProjectFiles.read("attribute-examples.tsv")
        .lines()
        .map(line -> line.replace("\\n", "\n").split("\t", -1))
        .filter(row -> row[0].equals(mask.name()))
        .map(row -> new AttributeExample(row[1], row[2]))
        .findFirst()
        .orElseThrow();
  }
}
