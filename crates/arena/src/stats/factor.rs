//! A symmetric matrix as the product of a triangle with itself, and what follows from that.

/// The lower triangle `L` of a positive definite matrix `L·Lᵀ`, row by row in a square.
pub(super) struct Triangle {
    size: usize,
    cells: Vec<f64>,
}

/// So many rows are worked on while others are near: a matter of caches alone.
const BLOCK: usize = 16;
/// Sums are kept in so many parts, which one instruction adds to.
const LANES: usize = 8;

impl Triangle {
    /// Factors a matrix, of which only the lower half is read (Cholesky).
    pub fn of(size: usize, mut cells: Vec<f64>) -> Triangle {
        assert_eq!(cells.len(), size * size, "a square");
        for top in (0..size).step_by(BLOCK) {
            let end = (top + BLOCK).min(size);
            let (above, block) = cells.split_at_mut(top * size);
            for (column, other) in above.chunks_exact(size).enumerate() {
                for row in block.chunks_exact_mut(size).take(end - top) {
                    row[column] =
                        (row[column] - dot(&row[..column], &other[..column])) / other[column];
                }
            }
            for row in top..end {
                for column in top..=row {
                    let (before, from) = cells.split_at(row * size);
                    let other = if column == row {
                        from
                    } else {
                        &before[column * size..]
                    };
                    let rest = from[column] - dot(&from[..column], &other[..column]);
                    cells[row * size + column] = if column == row {
                        rest.max(f64::MIN_POSITIVE).sqrt()
                    } else {
                        rest / other[column]
                    };
                }
            }
        }
        Triangle { size, cells }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    /// The solution of `L·Lᵀ·x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..self.size {
            let cells = self.row(row);
            x[row] = (x[row] - dot(&cells[..row], &x[..row])) / cells[row];
        }
        for row in (0..self.size).rev() {
            let cells = self.row(row);
            x[row] /= cells[row];
            let (before, value) = (&cells[..row], x[row]);
            for (x, cell) in x.iter_mut().zip(before) {
                *x -= cell * value;
            }
        }
        x
    }

    /// The diagonal of the matrix's inverse: the sums of squares in the columns of `L⁻¹`.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let size = self.size;
        let mut inverse = vec![0.0; size * size];
        let mut diagonal = vec![0.0; size];
        for top in (0..size).step_by(BLOCK) {
            let end = (top + BLOCK).min(size);
            let (done, block) = inverse.split_at_mut(top * size);
            for (index, four) in done.chunks(4 * size).enumerate() {
                for row in top..end {
                    let sums = &mut block[(row - top) * size..][..(index + 1) * 4];
                    add_rows(sums, four, size, &self.row(row)[index * 4..]);
                }
            }
            for row in top..end {
                self.finish_row(row, top, block);
                let finished = &block[(row - top) * size..][..=row];
                for (sum, cell) in diagonal.iter_mut().zip(finished) {
                    *sum += cell * cell;
                }
            }
        }
        diagonal
    }

    /// Completes a row of the inverse, to which all rows before the block have been added.
    fn finish_row(&self, row: usize, top: usize, block: &mut [f64]) {
        let (before, own) = block.split_at_mut((row - top) * self.size);
        let factors = self.row(row);
        for (other, factor) in before.chunks_exact(self.size).zip(&factors[top..row]) {
            for (sum, cell) in own[..row].iter_mut().zip(other) {
                *sum += factor * cell;
            }
        }
        for sum in &mut own[..row] {
            *sum /= -factors[row];
        }
        own[row] = 1.0 / factors[row];
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_parts, b_parts) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_parts
        .remainder()
        .iter()
        .zip(b_parts.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Adds up to four rows, each with its factor.
fn add_rows(sums: &mut [f64], rows: &[f64], size: usize, factors: &[f64]) {
    let length = sums.len().min(size);
    let sums = &mut sums[..length];
    match rows.len() / size {
        4 => {
            let row = |index: usize| &rows[index * size..][..length];
            let (a, b, c, d) = (row(0), row(1), row(2), row(3));
            let [fa, fb, fc, fd] = [factors[0], factors[1], factors[2], factors[3]];
            for index in 0..length {
                let first = fa * a[index] + fb * b[index];
                sums[index] += first + (fc * c[index] + fd * d[index]);
            }
        }
        _ => {
            for (row, factor) in rows.chunks_exact(size).zip(factors) {
                for (sum, cell) in sums.iter_mut().zip(row) {
                    *sum += factor * cell;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kingme_play::Chance;

    use super::*;

    /// A matrix with a heavy diagonal, of a size that fits no block.
    fn matrix(size: usize) -> Vec<f64> {
        let mut chance = Chance::fork(3, size as u64);
        let mut cells = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let value = (chance.number() % 1000) as f64 / 1000.0 - 0.5;
                cells[row * size + column] = value;
                cells[column * size + row] = value;
            }
            cells[row * size + row] += size as f64;
        }
        cells
    }

    fn times(cells: &[f64], x: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum();
        cells.chunks_exact(x.len()).map(row).collect()
    }

    #[test]
    fn solutions_solve_and_the_inverse_is_one() {
        for size in [1, 2, 5, 16, 17, 37, 100] {
            let cells = matrix(size);
            let triangle = Triangle::of(size, cells.clone());
            let diagonal = triangle.inverse_diagonal();
            for unit in 0..size {
                let mut right = vec![0.0; size];
                right[unit] = 1.0;
                let x = triangle.solve(&right);
                let back = times(&cells, &x);
                for (a, b) in back.iter().zip(&right) {
                    assert!((a - b).abs() < 1e-9, "size {size}: {a} is not {b}");
                }
                assert!((x[unit] - diagonal[unit]).abs() < 1e-9, "size {size}");
            }
        }
    }
}
